"""Sells a car with the generated client, and prints what the service answered."""

import importlib
import json
import os
import pkgutil

import trigate_client
from trigate_client import AuthenticatedClient, Client
from trigate_client.api.auth import issue_token
from trigate_client.api.listing import create_listing, listing, publish_listing
from trigate_client.models import (
    CreateListingBody,
    IssueTokenBody,
    Listing,
    ListingCondition,
    ListingLocationInput,
    MoneyInput,
    Problem,
    TokenSet,
)

# A module that is not used here must also be valid.
for module in pkgutil.walk_packages(trigate_client.__path__, "trigate_client."):
    importlib.import_module(module.name)

url = os.environ["TRIGATE_URL"]
tokens = issue_token.sync(
    client=Client(base_url=url),
    body=IssueTokenBody(
        grant_type="password",
        username=os.environ["TRIGATE_USER"],
        password=os.environ["TRIGATE_PASSWORD"],
    ),
)
assert isinstance(tokens, TokenSet), tokens
client = AuthenticatedClient(base_url=url, token=tokens.access_token)

draft = create_listing.sync(
    client=client,
    body=CreateListingBody(
        dealer_id=os.environ["TRIGATE_DEALER"],
        category_id=os.environ["TRIGATE_CATEGORY"],
        title="Volvo 145 estate",
        description="A sound estate of 1972.",
        language="en",
        condition=ListingCondition.USED,
        price=MoneyInput(amount=1_245_000, currency="EUR"),
        attributes=json.loads(os.environ["TRIGATE_ATTRIBUTES"]),
        location=ListingLocationInput(postal_code="10115", city="Berlin", country="DE"),
    ),
)
assert isinstance(draft, Listing), draft
published = publish_listing.sync(draft.id, client=client)
assert isinstance(published, Listing), published
read = listing.sync(draft.id, client=client)
assert isinstance(read, Listing), read
refusal = listing.sync("lst_00000000000000000000000000", client=client)
assert isinstance(refusal, Problem), refusal

print(
    json.dumps(
        {
            "id": read.id,
            "title": read.title,
            "state": read.state,
            "amount": read.price.amount if read.price else None,
            "refusal": refusal.code,
        }
    )
)
