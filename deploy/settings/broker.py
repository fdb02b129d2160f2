"""The broker as every shape uses it: a folder of the laptop, or Redis, Valkey or RabbitMQ elsewhere."""

from pathlib import Path


def broker_options(url: str, folder: Path) -> dict[str, object]:
    """Transport options for the broker at `url`; the folders of a broker of files are made under `folder`."""
    if not url.startswith("filesystem"):
        return {
            "visibility_timeout": 60,
            "unacked_restore_interval": 2,
            "unacked_restore_throttle": 1,
            "socket_timeout": 1,
            "socket_connect_timeout": 1,
            "queue_order_strategy": "sorted",
        }
    for name in ("queue", "processed", "control"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    return {
        "data_folder_in": str(folder / "queue"),
        "data_folder_out": str(folder / "queue"),
        "processed_folder": str(folder / "processed"),
        "control_folder": str(folder / "control"),
        "store_processed": False,
        "polling_interval": 0.1,
    }
