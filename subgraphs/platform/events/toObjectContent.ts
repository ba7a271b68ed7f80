import type { ObjectContent } from '../../../schema/events.ts';
import { digestOf } from '../content/digestOf.ts';
import type { OwnedContent } from '../federation/askOwner.ts';

/**
 * What an event says of an object, from what its owner answers when it is asked about it: the same words, with the
 * digests that tell what changed.
 */
export function toObjectContent(ownerId: string | null, { fields, ...content }: OwnedContent): ObjectContent {
  const { digest, fieldDigests } = digestOf(fields);
  return { ownerId, ...content, contentDigest: digest, fieldDigests };
}
