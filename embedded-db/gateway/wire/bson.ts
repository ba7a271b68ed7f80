import { BSON, type Document } from 'bson';

/** A reply to a client, or a document on its way to PostgreSQL. */
export type BsonBytes = Uint8Array;

export function encode(document: Document): BsonBytes {
  return BSON.serialize(document, { ignoreUndefined: true });
}

/**
 * Decodes a document. Values keep their BSON types if a round trip would change them (binary); 64-bit integers become
 * numbers.
 */
export function decode(bytes: Uint8Array): Document {
  return BSON.deserialize(bytes, { promoteBuffers: false });
}

/** Decodes like `decode`, but keeps 64-bit integers as `Long`, because cursor ids do not fit into a number. */
export function decodeExactly(bytes: Uint8Array): Document {
  return BSON.deserialize(bytes, { promoteBuffers: false, promoteLongs: false });
}

export const okDocument: BsonBytes = encode({ ok: 1 });
