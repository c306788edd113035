"""Which language for whom, and everything said in it. It knows neither Telegram nor quizzes."""

from __future__ import annotations

from bot.i18n.catalogues import CatalogueError, Catalogues
from bot.i18n.language import Language, Raw, Value, isolate
from bot.i18n.tags import choose, direction_mark, is_rtl, match, own_name

__all__ = [
    "CatalogueError",
    "Catalogues",
    "Language",
    "Raw",
    "Value",
    "choose",
    "direction_mark",
    "is_rtl",
    "isolate",
    "match",
    "own_name",
]
