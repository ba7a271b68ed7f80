import { BSON, type Document } from 'bson';

/** A reply to a client, or a document on its way to PostgreSQL. */
export type BsonBytes = Uint8Array;

export function encode(document: Document): BsonBytes {
  return BSON.serialize(document, { ignoreUndefined: true });
}

/** Values keep their BSON types where a round trip would otherwise change them (binary); 64 bit integers become numbers. */
export function decode(bytes: Uint8Array): Document {
  return BSON.deserialize(bytes, { promoteBuffers: false });
}

/** As `decode`, but 64 bit integers stay `Long`: cursor ids do not fit into a number. */
export function decodeExactly(bytes: Uint8Array): Document {
  return BSON.deserialize(bytes, { promoteBuffers: false, promoteLongs: false });
}

export const okDocument: BsonBytes = encode({ ok: 1 });
