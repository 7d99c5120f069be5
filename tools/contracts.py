"""Which imports does the design forbid beyond what import-linter knows? Two more contract types."""

import sys
from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


def _imports_of(graph: ImportGraph, package: str) -> dict[str, set[str]]:
    """Return what each module of a package imports directly."""
    modules = {package, *graph.find_descendants(package)}
    return {module: graph.find_modules_directly_imported_by(module) for module in sorted(modules)}


def _is_in(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


class _BreachesContract(Contract):
    """A contract that is kept when it finds no breach, each breach being one sentence."""

    def breaches(self, graph: ImportGraph) -> list[str]:
        raise NotImplementedError

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: FBT001 - given
        output.verbose_print(verbose, f"looking for breaches of {self.name}")
        found = self.breaches(graph)
        return ContractCheck(kept=not found, metadata={"breaches": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for breach in check.metadata["breaches"]:
            output.print_error(breach)


# import-linter turns a declared field into its value, of another type: hence Any.
class StandardLibraryContract(_BreachesContract):
    """A package imports itself and the standard library, less the modules that are named."""

    type_name = "standard_library"
    package: Any = fields.StringField()
    but_not: Any = fields.SetField(subfield=fields.StringField())

    def breaches(self, graph: ImportGraph) -> list[str]:
        """Return one sentence for each import that is neither."""
        allowed = sys.stdlib_module_names - self.but_not
        return [
            f"{module} imports {imported}"
            for module, imports in _imports_of(graph, self.package).items()
            for imported in sorted(imports)
            if not _is_in(imported, self.package) and imported.split(".")[0] not in allowed
        ]


class NotBothContract(_BreachesContract):
    """No module of a package imports two others directly, but for the modules that are named."""

    type_name = "not_both"
    package: Any = fields.StringField()
    packages: Any = fields.ListField(subfield=fields.StringField())
    but_for: Any = fields.SetField(subfield=fields.StringField())

    def breaches(self, graph: ImportGraph) -> list[str]:
        """Return one sentence for each module that imports from both."""
        return [
            f"{module} imports from all of {', '.join(self.packages)}"
            for module, imports in _imports_of(graph, self.package).items()
            if all(any(_is_in(found, wanted) for found in imports) for wanted in self.packages)
            and not module.startswith(tuple(self.but_for))
        ]
