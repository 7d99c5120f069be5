"""The chart renders with Helm 3 and 4 to valid objects and refuses what cannot work."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from click import Context

from lastcard_server.cli import main

CHART = Path("helm/lastcard")
CASES = sorted(CHART.glob("ci/*-values.yaml"))
WORKING = "-f=helm/lastcard/ci/insecure-values.yaml"


@pytest.fixture(params=["helm3", "helm4"])
def helm(request: pytest.FixtureRequest) -> str:
    """Return one of the two Helm programs."""
    name: str = request.param
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"{name} is missing: `make tools` fetches it")
    return program


def run(helm: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Helm without a cluster."""
    return subprocess.run([helm, *arguments], capture_output=True, text=True, check=False)


def render(helm: str, *arguments: str) -> dict[str, Any]:
    """Return the rendered objects by kind."""
    done = run(helm, "template", "games", str(CHART), *arguments)
    assert done.returncode == 0, done.stderr
    return {document["kind"]: document for document in yaml.safe_load_all(done.stdout) if document}


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_every_case_is_strictly_valid(helm: str, case: Path, tmp_path: Path) -> None:
    """Each supported configuration passes lint and the strict schemas of Kubernetes."""
    objects = render(helm, f"-f={case}")
    assert run(helm, "lint", "--strict", str(CHART), f"-f={case}").returncode == 0
    for kind, document in objects.items():
        (tmp_path / f"{kind}.yaml").write_text(yaml.safe_dump(document))
    validator = [".venv/bin/kubernetes-validate", "--strict", *map(str, tmp_path.glob("*.yaml"))]
    done = subprocess.run(validator, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "image.repository"),
        (["--set=image.repository=x"], "tls.existingSecret"),
        ([WORKING, "--set=tls.existingSecret=t"], "not both"),
        ([WORKING, "--set=organiserKey.existingSecret="], "lastcard keys generate"),
        ([WORKING, "--set=health.port=50051"], "ports of their own"),
        ([WORKING, "--set=replicaCount=2"], "replicaCount"),
        ([WORKING, "--set=replicas=2"], "replicas"),
        ([WORKING, "--set=health.port=80"], "port"),
        ([WORKING, "--set=persistence.size=lots"], "size"),
    ],
)
def test_what_cannot_work_is_refused(helm: str, arguments: list[str], sentence: str) -> None:
    """A guard or the schema names the value at fault, and nothing is rendered."""
    done = run(helm, "template", "games", str(CHART), *arguments)
    assert done.returncode != 0
    assert sentence in done.stderr
    assert not done.stdout


def test_the_pod_is_confined(helm: str) -> None:
    """The pod runs as nobody, with a read-only root, no capabilities and no API token."""
    pod = render(helm, WORKING)["StatefulSet"]["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is False
    confined = pod["containers"][0]["securityContext"]
    assert confined["readOnlyRootFilesystem"] is True
    assert confined["allowPrivilegeEscalation"] is False
    assert confined["capabilities"] == {"drop": ["ALL"]}


def test_probes_ask_the_plaintext_health_port(helm: str) -> None:
    """Probes of the cluster speak no TLS, so each goes to the health port."""
    container = render(helm, "-f=helm/lastcard/ci/full-values.yaml")["StatefulSet"]["spec"][
        "template"
    ]
    container = container["spec"]["containers"][0]
    probes = [
        container[f"{name}Probe"]["grpc"]["port"] for name in ("startup", "readiness", "liveness")
    ]
    assert probes == [8081] * 3
    assert "--health-port=8081" in container["args"]


def test_secrets_come_by_reference(helm: str) -> None:
    """No secret is rendered; the pod mounts those that exist."""
    objects = render(helm, "-f=helm/lastcard/ci/full-values.yaml")
    assert "Secret" not in objects
    volumes = objects["StatefulSet"]["spec"]["template"]["spec"]["volumes"]
    mounted = {volume["secret"]["secretName"] for volume in volumes if "secret" in volume}
    assert mounted == {"lastcard-organiser", "lastcard-server", "lastcard-tls"}


def test_the_server_knows_every_argument(helm: str) -> None:
    """Each option the chart passes is one that `lastcard serve` has."""
    serve = main.get_command(Context(main), "serve")
    assert serve is not None
    known = {option for parameter in serve.params for option in parameter.opts}
    for case in CASES:
        pod = render(helm, f"-f={case}")["StatefulSet"]["spec"]["template"]["spec"]
        command, *arguments = pod["containers"][0]["args"]
        assert command == "serve"
        assert {argument.partition("=")[0] for argument in arguments} <= known


def test_every_value_is_in_the_schema() -> None:
    """The schema names each key of values.yaml at every level and no other."""
    schema = json.loads((CHART / "values.schema.json").read_text())
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    assert set(schema["properties"]) - {"global"} == set(values)
    for name, value in values.items():
        inner = schema["properties"][name].get("properties")
        assert inner is None or set(inner) == set(value), name


def test_every_value_is_in_the_readme() -> None:
    """The chart's README has a row for each value."""
    rows = set(re.findall(r"^\| `([\w.]+)` \|", (CHART / "README.md").read_text(), re.MULTILINE))
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    free = {"resources", "podAnnotations", "podLabels", "nodeSelector", "affinity"}
    leaves = set()
    for name, value in values.items():
        nested = isinstance(value, dict) and name not in free
        leaves |= {f"{name}.{key}" for key in value} if nested else {name}
    assert rows == leaves
