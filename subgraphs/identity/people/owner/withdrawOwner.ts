import type { ClientSession } from 'mongoose';
import { changeStanding } from './touchOwner.ts';

/** Where the owner is; a request's context is one. */
interface Place {
  readonly installationId: string;
}

/**
 * Keeps the listings of a user or dealer from the public without a change of their states. In the transaction that
 * bars the owner, after `openOwner`; behind it `refreshPublicListings` carries it out, and a job does after a crash.
 */
export async function withdrawOwner(place: Place, ownerId: string, session: ClientSession): Promise<void> {
  await changeStanding(place, ownerId, session, true);
}

/** Takes it back: what is published and has not expired is shown again. Used as `withdrawOwner` is. */
export async function returnOwner(place: Place, ownerId: string, session: ClientSession): Promise<void> {
  await changeStanding(place, ownerId, session, false);
}
