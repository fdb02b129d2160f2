"""The broker of files: a message that another process may read is whole."""

from pathlib import Path

from kombu import Connection

from deploy import celery_app


class Curious:
    """A value that looks into the folder while its message is being written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seen: list[str] = []

    def __json__(self) -> str:
        self.seen = [path.name for path in self.folder.iterdir() if path.suffix == ".msg"]
        return "written"


def test_message_has_its_name_only_when_it_is_written(tmp_path: Path) -> None:
    assert celery_app.main == "seven_marks"
    folder = tmp_path / "queue"
    folder.mkdir()
    options = {"data_folder_in": str(folder), "data_folder_out": str(folder), "control_folder": str(tmp_path)}
    curious = Curious(folder)
    with Connection("filesystem://localhost", transport_options=options) as connection:
        channel = connection.channel()
        channel._put("work", {"body": curious})

        assert curious.seen == []
        assert channel._get("work") == {"body": "written"}
    assert list(folder.iterdir()) == []
