import type { ObjectContent } from '../../../schema/events.ts';
import { digestOf } from '../content/digestOf.ts';
import type { OwnedContent } from '../federation/askOwner.ts';

/** Builds the payload of an event from the owner's content of the object, with digests that show what changed. */
export function toObjectContent(ownerId: string | null, { fields, ...content }: OwnedContent): ObjectContent {
  const { digest, fieldDigests } = digestOf(fields);
  return { ownerId, ...content, contentDigest: digest, fieldDigests };
}
