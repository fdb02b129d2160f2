"""Forms whose service may refuse, and what the pages say of a refusal: its sentence and its stable code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

import fortytwo
from tournaments.errors import Refusal

REFUSALS = (Refusal, fortytwo.FortyTwoError)
"""What a service may raise for an act that it does not do."""


def reason_of(refusal: Exception) -> str:
    """The refusal's sentence."""
    return refusal.detail if isinstance(refusal, Refusal) else str(refusal)


def code_of(refusal: Exception) -> str:
    """The refusal's stable code, the same as in the API."""
    return str(getattr(refusal, "code", ""))


def status_of(refusal: Exception) -> int:
    """What HTTP answers, as the API does: the engine refuses with 422, and with 400 what it cannot read."""
    if isinstance(refusal, Refusal):
        return refusal.status
    return 400 if isinstance(refusal, fortytwo.ParseError) else 422


FIELD_OF_CODE = {"team_name_taken": "name", "seed_taken": "seed", "table_taken": "count"}
"""By code of a refusal that names no field: the field that it is about, where a form has it."""


class RunForm(forms.Form):
    """A form whose service may refuse: the refusal then stands beside its field, and what was typed stays."""

    field_of_code: Mapping[str, str] = FIELD_OF_CODE

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            # The sentence names the field and the rule.
            if "required" in field.error_messages:
                field.error_messages["required"] = _("%(field)s is missing.") % {"field": field.label}

    def refuse(self, refusal: Exception) -> None:
        """Show the refusal at the fields that it names, else on top."""
        named = False
        if isinstance(refusal, fortytwo.ImpossibleRecord) and refusal.fields:
            for one in refusal.fields:
                named = self._refuse_field(one.field, one.error) or named
            if named:
                return
        facts = refusal.facts if isinstance(refusal, Refusal | fortytwo.FortyTwoError) else {}
        field = str(facts.get("field") or self.field_of_code.get(code_of(refusal), ""))
        if not self._refuse_field(field, refusal):
            self.add_error(None, ValidationError(reason_of(refusal), code=code_of(refusal)))

    def _refuse_field(self, field: str, refusal: Exception) -> bool:
        if field not in self.fields:
            return False
        self.add_error(field, ValidationError(reason_of(refusal), code=code_of(refusal)))
        return True
