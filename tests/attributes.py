"""What does an object of fixed attributes hold? The same in plain Python and compiled."""


def names_of(kind: type) -> tuple[str, ...]:
    """Return the attributes a class fixes, unset ones too; compiled classes have no `__slots__`."""
    names: tuple[str, ...] = getattr(kind, "__slots__", ()) or kind.__mypyc_attrs__  # type: ignore[attr-defined]
    return names
