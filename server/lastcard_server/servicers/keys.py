"""KeyService: creating, listing and revoking API keys; for organisers."""

from typing import Final

from lastcard.v1 import key_service_pb2 as pb
from lastcard_server import fields
from lastcard_server.convert.times import timestamp
from lastcard_server.errors import Reason, Refusal
from lastcard_server.key_registry import KeyRegistry
from lastcard_server.keys import Caller, Key, KeyUnknownError, LastOrganiserError, Role

_ROLES: Final = {
    pb.KEY_ROLE_ORGANISER: Role.ORGANISER,
    pb.KEY_ROLE_BOT: Role.BOT,
    pb.KEY_ROLE_SPECTATOR: Role.SPECTATOR,
}


class KeyServicer:
    """Serves KeyService."""

    def __init__(self, keys: KeyRegistry) -> None:
        self._keys = keys

    async def CreateKey(self, request: pb.CreateKeyRequest, caller: Caller) -> pb.CreateKeyResponse:
        """Create a key and return its secret, this once."""
        fields.require_role(caller, Role.ORGANISER)
        name = fields.name(request.name)
        if request.role not in _ROLES:
            raise Refusal(Reason.BAD_FIELD, "role must be organiser, bot or spectator.")
        key, secret = await self._keys.create(name, _ROLES[request.role])
        return pb.CreateKeyResponse(key=key_message(key), secret=secret)

    async def ListKeys(self, request: pb.ListKeysRequest, caller: Caller) -> pb.ListKeysResponse:
        """List keys, newest first."""
        fields.require_role(caller, Role.ORGANISER)
        size = fields.between(request.page_size, 1, 1_000, "page_size", default=100)
        await self._keys.catch_up()
        try:
            keys = self._keys.keys(after=request.page_token, limit=size + 1)
        except KeyUnknownError:
            raise fields.bad_page_token() from None
        following = keys[size - 1].key_id if len(keys) > size else ""
        return pb.ListKeysResponse(keys=map(key_message, keys[:size]), next_page_token=following)

    async def RevokeKey(self, request: pb.RevokeKeyRequest, caller: Caller) -> pb.RevokeKeyResponse:
        """Revoke a key; its streams end."""
        fields.require_role(caller, Role.ORGANISER)
        try:
            key = await self._keys.revoke(request.key_id)
        except KeyUnknownError:
            raise fields.no_such("key") from None
        except LastOrganiserError:
            raise Refusal(
                Reason.FORBIDDEN,
                "This is the last valid organiser's key; create another one before it is revoked.",
            ) from None
        return pb.RevokeKeyResponse(key=key_message(key))


def key_message(key: Key) -> pb.Key:
    """Return a key as a message."""
    return pb.Key(
        key_id=key.key_id,
        name=key.name,
        role=f"KEY_ROLE_{key.role.name}",
        create_time=timestamp(key.created_us),
        revoke_time=None if key.revoked_us is None else timestamp(key.revoked_us),
    )
