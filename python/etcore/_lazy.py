"""Fields of events and blocks that are read from the library's answer on first access."""
from __future__ import annotations

from functools import cached_property

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, ClassVar, Dict, Optional, Tuple

ABSENT = object()  #: marks a field without a default


class _Own:
    """Slots for the object's own dictionary and for the source of its unread fields."""

    __slots__ = ("__dict__", "_source")
    _source: Optional[Tuple[Any, int]]  # answer and row; None once all fields are read


_dictionary: Any = _Own.__dict__["__dict__"]
own: Callable[[Any], Dict[str, Any]] = _dictionary.__get__  #: Returns the object's own dictionary: the fields that were read or changed.


class Lazy(_Own):
    """An object whose fields are read from an answer on first access."""

    __slots__ = ()
    _lazy: ClassVar[Tuple[str, ...]] = ()

    @property
    def __dict__(self) -> Dict[str, Any]:
        """All fields, in the order of the class. Accessing it, as vars() does, reads the unread ones."""
        if getattr(self, "_source", None) is not None:
            import dataclasses

            fields: Any = dataclasses.fields(self)  # type: ignore[arg-type]
            _dictionary.__set__(self, {**{f.name: getattr(self, f.name) for f in fields}, **own(self)})
            self._source = None
        return own(self)

    @__dict__.setter
    def __dict__(self, fields: Dict[str, Any]) -> None:
        _dictionary.__set__(self, fields)
        self._source = None

    def __delattr__(self, name: str) -> None:
        vars(self)  # reads all fields first, so that the deleted one is not read again
        object.__delattr__(self, name)

    def __getstate__(self) -> Dict[str, Any]:
        return dict(self.__dict__)


class Field:
    """Descriptor of a lazy field; it replaces the field's default in the class."""

    def __init__(self, name: str, read: Callable[[Any, int], Any], default: Any) -> None:
        self._name, self._read, self._default = name, read, default

    def __get__(self, item: Any, owner: Any = None) -> Any:
        source = getattr(item, "_source", None)
        if source is not None:
            # If several threads read the field, setdefault gives all of them the object of the first.
            return own(item).setdefault(self._name, self._read(*source))
        if self._default is ABSENT:
            raise AttributeError(f"{owner.__name__!r} object has no attribute {self._name!r}")
        return self._default


class Once(cached_property):  # type: ignore[type-arg]
    """A cached_property that does not read the other lazy fields, and gives all threads the same object."""

    def __get__(self, item: Any, owner: Any = None) -> Any:
        if item is None:
            return self
        fields = own(item) if isinstance(item, _Own) else vars(item)
        return fields.setdefault(self.func.__name__, self.func(item))
