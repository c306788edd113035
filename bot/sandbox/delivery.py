"""Methods that say how updates are delivered, and the long poll."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

from bot.sandbox import limits
from bot.sandbox.errors import Json, Refused
from bot.sandbox.params import Params
from bot.sandbox.world import Methods, World


async def get_updates(world: World, params: Params) -> list[Json]:
    """The long poll."""
    if world.webhook.url:
        raise Refused(
            "can't use getUpdates method while webhook is active;"
            " use deleteWebhook to delete the webhook first",
            409,
        )
    kinds = params.json("allowed_updates", "allowed_updates")
    if isinstance(kinds, list):
        world.updates.allow([str(kind) for kind in kinds])
    return await world.updates.poll(
        params.integer("offset"),
        params.integer("limit", limits.UPDATES),
        params.integer("timeout"),
    )


def set_webhook(world: World, params: Params) -> bool:
    """From now on updates are pushed to `url`; empty: polling again."""
    url, webhook = params.text("url").strip(), world.webhook
    _not_too_often(world)
    secret = _secret(params)
    if url:
        _check_address(url, strict=world.strict_webhooks)
    kinds = params.json("allowed_updates", "allowed_updates")
    if isinstance(kinds, list):
        world.updates.allow([str(kind) for kind in kinds])
    if params.flag("drop_pending_updates"):
        world.updates.drop()
    webhook.close()
    webhook.url, webhook.secret = url, secret
    asked = params.integer("max_connections", limits.DEFAULT_CONNECTIONS)
    webhook.connections = max(1, min(asked, limits.CONNECTIONS))
    if url:
        world.updates.end_poll("terminated by setWebhook request")
    world.updates.changed.ring()
    return True


def delete_webhook(world: World, params: Params) -> bool:
    """Polling again. Polling clients call it first."""
    if params.flag("drop_pending_updates"):
        world.updates.drop()
    world.webhook.close()
    return True


def get_webhook_info(world: World, params: Params) -> Json:
    """Where updates are pushed, how many wait, and the last error."""
    webhook = world.webhook
    info: Json = {
        "url": webhook.url,
        "has_custom_certificate": False,
        "pending_update_count": len(world.updates),
    }
    if webhook.url:
        info["max_connections"] = webhook.connections
    if webhook.error:
        at, what = webhook.error
        info |= {"last_error_date": int(at.timestamp()), "last_error_message": what}
    allowed = world.updates.allowed
    return info | {"allowed_updates": allowed} if allowed else info


def _not_too_often(world: World) -> None:
    """Telegram allows one change a second."""
    now, before = world.clock.now(), world.webhook.set_at
    if before is not None and (now - before).total_seconds() < 1:
        raise Refused("retry after 1", 429, {"retry_after": 1})
    world.webhook.set_at = now


def _secret(params: Params) -> str:
    secret = params.text("secret_token")
    if len(secret) > limits.SECRET:
        raise Refused("secret token is too long")
    if not re.fullmatch(r"[A-Za-z0-9_-]*", secret):
        raise Refused("secret token contains unallowed characters")
    return secret


def _check_address(url: str, *, strict: bool) -> None:
    bad = "bad webhook: "
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Refused(f"{bad}invalid webhook URL specified") from None
    if parts.scheme not in ("http", "https") or not host:
        raise Refused(f"{bad}invalid webhook URL specified")
    if not strict:
        return
    if parts.scheme != "https":
        raise Refused(f"{bad}An HTTPS URL must be provided for webhook")
    if (port or 443) not in limits.WEBHOOK_PORTS:
        raise Refused(f"{bad}Webhook can be set up only on ports 80, 88, 443 or 8443")
    _check_ip(host, bad)


def _check_ip(host: str, bad: str) -> None:
    """Names are not resolved here, but for the one that is the machine itself."""
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        return
    if address.version != 4:
        raise Refused(f"{bad}IPv6-only addresses are not allowed")
    if not address.is_global:
        raise Refused(f"{bad}IP address {address} is reserved")


METHODS: Methods = {
    "getupdates": get_updates,
    "setwebhook": set_webhook,
    "deletewebhook": delete_webhook,
    "getwebhookinfo": get_webhook_info,
}
