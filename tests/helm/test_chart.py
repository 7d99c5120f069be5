"""The chart renders with Helm 3 and 4 to valid objects and refuses what cannot work."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml
from click import Context

from lastcard_server.cli import main
from lastcard_server.serving import CLOSING_SECONDS

CHART = Path("helm/lastcard")
CASES = sorted(CHART.glob("ci/*-values.yaml"))
WORKING = "-f=helm/lastcard/ci/insecure-values.yaml"
SHARED = "-f=helm/lastcard/ci/postgres-values.yaml"
SCALED = "-f=helm/lastcard/ci/autoscaled-values.yaml"
ONE_SERVER = "SQLite belongs to one server; replicaCount > 1 shares a database)"
OR_NONE = "or autoscaling.enabled to false: SQLite belongs to one server."
LIVE_SECONDS = 2
"""How old a pod's last sign of life may be; it gives one a second."""


@pytest.fixture(params=["helm3", "helm4"])
def helm(request: pytest.FixtureRequest) -> str:
    """Return one of the two Helm programs."""
    return program(request.param)


def program(name: str) -> str:
    """Return where a program lies; without it the test is skipped."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is missing: `make tools` fetches it")
    return found


def run(helm: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Helm without a cluster."""
    return subprocess.run([helm, *arguments], capture_output=True, text=True, check=False)


def render(helm: str, *arguments: str) -> dict[str, Any]:
    """Return the rendered objects by kind, the headless Service as `Headless`."""
    done = run(helm, "template", "games", str(CHART), *arguments)
    assert done.returncode == 0, done.stderr
    objects = [document for document in yaml.safe_load_all(done.stdout) if document]
    kinds = {_kind(document): document for document in objects}
    assert len(kinds) == len(objects)
    return kinds


def _kind(document: dict[str, Any]) -> str:
    headless = document["spec"].get("clusterIP") == "None"
    return "Headless" if headless else str(document["kind"])


def pod_of(objects: dict[str, Any]) -> Any:
    """Return the specification of the pod, whatever runs it."""
    runner = objects.get("StatefulSet") or objects["Deployment"]
    return runner["spec"]["template"]["spec"]


def refused(helm: str, *arguments: str) -> str:
    """Return why a configuration is refused; nothing of it is rendered."""
    done = run(helm, "template", "games", str(CHART), *arguments)
    assert done.returncode != 0
    assert not done.stdout
    return done.stderr


def strictly_valid(objects: Iterable[dict[str, Any]], folder: Path) -> None:
    """Check objects by the strict schemas of Kubernetes."""
    for number, document in enumerate(objects):
        (folder / f"{number}.yaml").write_text(yaml.safe_dump(document))
    validator = [".venv/bin/kubernetes-validate", "--strict", *map(str, folder.glob("*.yaml"))]
    done = subprocess.run(validator, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_every_case_is_strictly_valid(helm: str, case: Path, tmp_path: Path) -> None:
    """Each supported configuration passes lint and the strict schemas of Kubernetes."""
    assert run(helm, "lint", "--strict", str(CHART), f"-f={case}").returncode == 0
    strictly_valid(render(helm, f"-f={case}").values(), tmp_path)


EITHER = {
    "store": (
        ["store.postgres.existingSecret=s", "serverKeys.existingSecret=k"],
        ["store.postgres.existingSecret="],
    ),
    "credentials": (["tls.existingSecret=t", "insecure=false"], ["insecure=true"]),
    "spread": (["spread=true"], ["spread=false"]),
    "autoscaling": (["autoscaling.enabled=true"], ["autoscaling.enabled=false"]),
    "replicas": (["replicaCount=5"], ["replicaCount=1"]),
}


def test_every_combination_is_valid_or_refused(tmp_path: Path) -> None:
    """Whatever the store, TLS, spread and number of pods: valid, or one sentence."""
    helm = program("helm4")
    documents: dict[str, Any] = {}
    for choice in product(*EITHER.values()):
        values = [f"--set={value}" for values in choice for value in values]
        shared, scaled, several = (
            choice[list(EITHER).index(name)] is EITHER[name][0]
            for name in ("store", "autoscaling", "replicas")
        )
        if not shared and (scaled or several):
            assert "SQLite belongs to one server" in refused(helm, WORKING, *values)
            continue
        rendered = render(helm, WORKING, *values)
        documents |= {yaml.safe_dump(document): document for document in rendered.values()}
        one = {"StatefulSet", "Service", "PersistentVolumeClaim"}
        many = {"Deployment", "Service", "Headless", "PodDisruptionBudget"}
        many |= {"HorizontalPodAutoscaler"} if scaled else set()
        assert set(rendered) == (many if shared else one)
    strictly_valid(documents.values(), tmp_path)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "image.repository"),
        (["--set=image.repository=x"], "tls.existingSecret"),
        ([WORKING, "--set=tls.existingSecret=t"], "not both"),
        ([WORKING, "--set=organiserKey.existingSecret="], "lastcard keys generate"),
        ([WORKING, "--set=health.port=50051"], "ports of their own"),
        ([WORKING, "--set=replicaCount=2"], f"store.postgres.existingSecret ({ONE_SERVER}"),
        ([WORKING, "--set=replicaCount=0"], "replicaCount"),
        ([WORKING, "--set=replicas=2"], "replicas"),
        ([WORKING, "--set=health.port=80"], "port"),
        ([WORKING, "--set=persistence.size=lots"], "size"),
        ([WORKING, "--set=autoscaling.enabled=true"], f"store.postgres.existingSecret, {OR_NONE}"),
        ([WORKING, "--set=store.redis=r"], "redis"),
        ([WORKING, "--set=store.postgres.secretKey="], "secretKey"),
        ([WORKING, "--set=store.postgres.ca.existingSecret=c"], "SQLite connects to no database"),
        ([SHARED, "--set=store.postgres.ca.secretKey="], "secretKey"),
        ([SHARED, "--set=store.postgres.ca.name=c"], "name"),
        ([SHARED, "--set=engineRevision=-1"], "engineRevision"),
        ([SHARED, "--set=engineRevision=newest"], "engineRevision"),
        ([SHARED, "--set=serverKeys.existingSecret="], "serverKeys.existingSecret"),
        ([SHARED, "--set=persistence.existingClaim=c"], "not both"),
        ([SHARED, "--set=podDisruptionBudget.maxUnavailable=0"], "maxUnavailable"),
        ([SHARED, "--set=podDisruptionBudget.maxUnavailable=101%"], "maxUnavailable"),
        ([SHARED, "--set=preStopSeconds=0"], "preStopSeconds"),
        ([SCALED, "--set=autoscaling.minReplicas=10"], "autoscaling.maxReplicas at most"),
        ([SCALED, "--set=resources.requests.cpu=null"], "resources.requests.cpu"),
        ([SCALED, "--set=resources.requests=null"], "resources.requests.cpu"),
    ],
)
def test_what_cannot_work_is_refused(helm: str, arguments: list[str], sentence: str) -> None:
    """A guard or the schema names the value at fault, and nothing is rendered."""
    assert sentence in refused(helm, *arguments)


@pytest.mark.parametrize("values", [WORKING, SHARED])
def test_the_pod_is_confined(helm: str, values: str) -> None:
    """The pod runs as nobody, with a read-only root, no capabilities and no API token."""
    pod = pod_of(render(helm, values))
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is False
    confined = pod["containers"][0]["securityContext"]
    assert confined["readOnlyRootFilesystem"] is True
    assert confined["allowPrivilegeEscalation"] is False
    assert confined["capabilities"] == {"drop": ["ALL"]}


@pytest.mark.parametrize("values", ["-f=helm/lastcard/ci/full-values.yaml", SHARED])
def test_probes_ask_the_plaintext_health_port(helm: str, values: str) -> None:
    """Probes of the cluster speak no TLS, so each goes to the health port."""
    (container,) = pod_of(render(helm, values))["containers"]
    probes = [
        container[f"{name}Probe"]["grpc"]["port"] for name in ("startup", "readiness", "liveness")
    ]
    assert probes == [8081] * 3
    assert "--health-port=8081" in container["args"]


def test_secrets_come_by_reference(helm: str) -> None:
    """No secret is rendered; the pod mounts those that exist."""
    objects = render(helm, "-f=helm/lastcard/ci/full-values.yaml")
    assert "Secret" not in objects
    volumes = pod_of(objects)["volumes"]
    mounted = {volume["secret"]["secretName"] for volume in volumes if "secret" in volume}
    assert mounted == {"lastcard-organiser", "lastcard-server", "lastcard-tls"}


def test_the_server_knows_every_argument(helm: str) -> None:
    """Each option the chart passes is one that `lastcard serve` has."""
    serve = main.get_command(Context(main), "serve")
    assert serve is not None
    known = {option for parameter in serve.params for option in parameter.opts}
    for case in CASES:
        pod = pod_of(render(helm, f"-f={case}"))
        command, *arguments = pod["containers"][0]["args"]
        assert command == "serve"
        assert {argument.partition("=")[0] for argument in arguments} <= known


def test_the_address_of_the_store_is_no_argument(helm: str) -> None:
    """It comes from its secret into the environment; arguments can be read by everybody."""
    (container,) = pod_of(render(helm, SCALED))["containers"]
    store = container["env"][0]
    serve = main.get_command(Context(main), "serve")
    assert serve is not None
    options = {parameter.name: parameter.envvar for parameter in serve.params}
    assert store["name"] == options["store"]
    assert store["valueFrom"] == {"secretKeyRef": {"name": "lastcard-store", "key": "url"}}
    assert not [argument for argument in container["args"] if "store" in argument]
    (container,) = pod_of(render(helm, WORKING))["containers"]
    assert "env" not in container
    assert "--store=sqlite:/var/lib/lastcard/journal.sqlite" in container["args"]


def test_pods_believe_the_authority_of_the_database(helm: str) -> None:
    """It is mounted from its secret, and nobody else's certificate will do."""
    pod = pod_of(render(helm, SCALED))
    (container,) = pod["containers"]
    (secret,) = [v["secret"] for v in pod["volumes"] if v["name"] == "store-ca"]
    assert secret["secretName"] == "lastcard-store-ca"
    assert secret["items"] == [{"key": "root.pem", "path": "ca.crt"}]
    (mount,) = [m for m in container["volumeMounts"] if m["name"] == "store-ca"]
    assert mount["readOnly"]
    environment = {variable["name"]: variable.get("value") for variable in container["env"]}
    assert environment["PGSSLROOTCERT"] == f"{mount['mountPath']}/ca.crt"
    assert environment["PGSSLMODE"] == "verify-full"
    pod = pod_of(render(helm, SHARED))
    assert [variable["name"] for variable in pod["containers"][0]["env"]] == ["LASTCARD_STORE"]
    assert "store-ca" not in [volume["name"] for volume in pod["volumes"]]


def test_new_matches_take_the_revision_that_is_set(helm: str) -> None:
    """Without one the server takes its newest by itself."""
    arguments = pod_of(render(helm, SCALED))["containers"][0]["args"]
    assert "--engine-revision=1" in arguments
    arguments = pod_of(render(helm, SHARED))["containers"][0]["args"]
    assert not [argument for argument in arguments if argument.startswith("--engine-revision")]


def test_pods_on_postgres_keep_nothing(helm: str) -> None:
    """Their state directory ends with them: keys and journal lie elsewhere."""
    pod = pod_of(render(helm, SHARED))
    volumes = {volume.pop("name"): volume for volume in pod["volumes"]}
    assert volumes["state"] == {"emptyDir": {}}
    assert volumes["server-keys"]["secret"]["secretName"] == "lastcard-server"
    assert "--server-keys=/etc/lastcard/server/server.keys" in pod["containers"][0]["args"]


def test_an_update_never_has_fewer_pods(helm: str) -> None:
    """A new pod serves before an old one ends, and is known to the others by then."""
    spec = render(helm, SHARED)["Deployment"]["spec"]
    assert spec["replicas"] == 3
    assert spec["strategy"]["type"] == "RollingUpdate"
    assert spec["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
    assert spec["minReadySeconds"] > LIVE_SECONDS


@pytest.mark.parametrize(("values", "pause", "grace"), [(SHARED, 5, 30), (SCALED, 15, 60)])
def test_a_pod_is_not_killed_while_it_drains(
    helm: str, values: str, pause: int, grace: int
) -> None:
    """It may take the time to leave the Services, to drain, and ten seconds more."""
    pod = pod_of(render(helm, values))
    (container,) = pod["containers"]
    assert container["lifecycle"]["preStop"]["exec"]["command"] == ["sleep", str(pause)]
    assert f"--grace={grace}" in container["args"]
    assert pod["terminationGracePeriodSeconds"] == pause + grace + 10
    assert CLOSING_SECONDS < 10


def test_one_pod_on_sqlite_ends_as_before(helm: str) -> None:
    """Nobody else takes its calls, so it does not wait before it drains."""
    pod = pod_of(render(helm, WORKING))
    assert "lifecycle" not in pod["containers"][0]
    assert pod["terminationGracePeriodSeconds"] == 40
    assert "topologySpreadConstraints" not in pod


def test_pods_are_spread_and_evicted_one_at_a_time(helm: str) -> None:
    """Each rule selects the pods of this release, and none keeps a pod from being placed."""
    objects = render(helm, SHARED)
    template = objects["Deployment"]["spec"]["template"]
    labels = objects["Deployment"]["spec"]["selector"]["matchLabels"]
    assert labels.items() <= template["metadata"]["labels"].items()
    rules = template["spec"]["topologySpreadConstraints"]
    keys = [rule["topologyKey"] for rule in rules]
    assert keys == ["kubernetes.io/hostname", "topology.kubernetes.io/zone"]
    assert {rule["whenUnsatisfiable"] for rule in rules} == {"ScheduleAnyway"}
    budget = objects["PodDisruptionBudget"]["spec"]
    assert budget["maxUnavailable"] == 1
    assert budget["unhealthyPodEvictionPolicy"] == "AlwaysAllow"
    selectors = [rule["labelSelector"] for rule in rules] + [budget["selector"]]
    assert selectors == [{"matchLabels": labels}] * 3
    other = render(helm, SCALED)
    assert "topologySpreadConstraints" not in pod_of(other)
    assert other["PodDisruptionBudget"]["spec"]["maxUnavailable"] == "25%"


def test_the_autoscaler_has_the_say_over_the_number_of_pods(helm: str) -> None:
    """It scales this Deployment by CPU, which then names no number that an upgrade would set."""
    objects = render(helm, SCALED)
    assert "replicas" not in objects["Deployment"]["spec"]
    spec = objects["HorizontalPodAutoscaler"]["spec"]
    name = objects["Deployment"]["metadata"]["name"]
    assert spec["scaleTargetRef"] == {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}
    assert (spec["minReplicas"], spec["maxReplicas"]) == (3, 9)
    (metric,) = spec["metrics"]
    assert metric["resource"] == {
        "name": "cpu",
        "target": {"type": "Utilization", "averageUtilization": 60},
    }
    assert "HorizontalPodAutoscaler" not in render(helm, SHARED)


def test_bots_find_the_address_of_each_pod(helm: str) -> None:
    """The headless Service has the port the pods listen on: nothing translates it on the way."""
    objects = render(helm, SCALED)
    headless, everybody = objects["Headless"]["spec"], objects["Service"]["spec"]
    assert headless["selector"] == everybody["selector"]
    assert headless["selector"] == objects["Deployment"]["spec"]["selector"]["matchLabels"]
    assert headless["ports"][0]["port"] == 50051
    assert "--port=50051" in pod_of(objects)["containers"][0]["args"]
    assert everybody["ports"][0]["port"] == 443
    assert objects["Headless"]["metadata"]["name"] == "games-lastcard-pods"


def leaves(values: dict[str, Any], *above: str) -> Iterator[str]:
    """Yield the name of each value, with a dot between levels."""
    for name, value in values.items():
        path = (*above, name)
        if isinstance(value, dict) and ".".join(path) not in FREE:
            yield from leaves(value, *path)
        else:
            yield ".".join(path)


def schema_leaves(schema: dict[str, Any], *above: str) -> Iterator[str]:
    """Yield the name of each value that a schema knows; every level is closed."""
    assert schema["additionalProperties"] is False, above
    for name, inner in schema["properties"].items():
        if "properties" in inner:
            yield from schema_leaves(inner, *above, name)
        else:
            yield ".".join((*above, name))


FREE = {
    "resources",
    "podAnnotations",
    "podLabels",
    "nodeSelector",
    "affinity",
    "service.annotations",
}
VALUES = yaml.safe_load((CHART / "values.yaml").read_text())


def test_every_value_is_in_the_schema() -> None:
    """The schema names each key of values.yaml at every level and no other."""
    schema = json.loads((CHART / "values.schema.json").read_text())
    assert set(schema_leaves(schema)) - {"global"} == set(leaves(VALUES))


def test_every_value_is_in_the_readme() -> None:
    """The chart's README has a row for each value."""
    rows = re.findall(r"^\| `([\w.]+)` \|", (CHART / "README.md").read_text(), re.MULTILINE)
    assert sorted(rows) == sorted(leaves(VALUES))
