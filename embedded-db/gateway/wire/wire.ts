import type { Framing } from './FrameReader.ts';
import { FramingError } from './FrameReader.ts';

// Source: the MongoDB wire protocol, "OP_MSG" and the legacy "OP_QUERY" that drivers still use for their first hello.
const opReply = 1;
const opQuery = 2004;
const opMsg = 2013;

const wireHeaderBytes = 16;
export const maxMessageBytes = 48_000_000;
const checksumPresent = 1;
const moreToComeFlag = 2;

export const mongoFraming: Framing = {
  headerBytes: wireHeaderBytes,
  maxFrameBytes: maxMessageBytes + wireHeaderBytes,
  frameLength: (bytes, offset) => bytes.readInt32LE(offset),
};

/** A received request. `sequences` are the document sequences of OP_MSG (section kind 1) by their field name. */
export interface WireRequest {
  requestId: number;
  isLegacy: boolean;
  body: Buffer;
  sequences: Map<string, Buffer>;
  /** Whether the client expects no response (an unacknowledged write). */
  moreToCome: boolean;
  legacyDatabase?: string;
}

/** Throws a FramingError for a message that is not one of the two opcodes or contradicts its own lengths. */
export function readRequest(message: Buffer): WireRequest {
  const requestId = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  if (opCode === opMsg) return readMessage(message, requestId);
  if (opCode === opQuery) return readQuery(message, requestId);
  throw new FramingError(`opcode ${opCode}`);
}

function readMessage(message: Buffer, requestId: number): WireRequest {
  if (message.length < 26) throw new FramingError('message too short');
  const flags = message.readUInt32LE(wireHeaderBytes);
  const end = message.length - (flags & checksumPresent ? 4 : 0);
  const sequences = new Map<string, Buffer>();
  let body: Buffer | undefined;
  let position = wireHeaderBytes + 4;
  while (position < end) {
    const kind = message[position];
    const start = position + 1;
    const length = start + 4 <= end ? message.readInt32LE(start) : -1;
    if (length < 5 || start + length > end) throw new FramingError('section length');
    if (kind === 0) {
      body = message.subarray(start, start + length);
    } else if (kind === 1) {
      const nameEnd = message.indexOf(0, start + 4);
      if (nameEnd < 0 || nameEnd >= start + length) throw new FramingError('sequence name');
      sequences.set(
        message.toString('utf8', start + 4, nameEnd),
        message.subarray(nameEnd + 1, start + length),
      );
    } else {
      throw new FramingError(`section kind ${kind}`);
    }
    position = start + length;
  }
  if (!body) throw new FramingError('no body section');
  return { requestId, isLegacy: false, body, sequences, moreToCome: (flags & moreToComeFlag) !== 0 };
}

function readQuery(message: Buffer, requestId: number): WireRequest {
  const nameEnd = message.indexOf(0, 20);
  const start = nameEnd + 9;
  if (nameEnd < 0 || start + 4 > message.length) throw new FramingError('query too short');
  const length = message.readInt32LE(start);
  if (length < 5 || start + length > message.length) throw new FramingError('query length');
  return {
    requestId,
    isLegacy: true,
    body: message.subarray(start, start + length),
    sequences: new Map(),
    moreToCome: false,
    legacyDatabase: message.toString('utf8', 20, nameEnd).split('.')[0] ?? 'admin',
  };
}

let lastResponseId = 0;

/** Returns the whole response to `request` in one buffer, so that it costs one write. */
export function writeResponse(request: WireRequest, document: Uint8Array): Buffer {
  lastResponseId = (lastResponseId + 1) & 0x7fffffff;
  const preamble = request.isLegacy ? 36 : 21;
  const response = Buffer.allocUnsafe(preamble + document.length);
  response.writeInt32LE(response.length, 0);
  response.writeInt32LE(lastResponseId, 4);
  response.writeInt32LE(request.requestId, 8);
  if (request.isLegacy) {
    response.writeInt32LE(opReply, 12);
    response.writeInt32LE(8, 16); // responseFlags: AwaitCapable, which every server since 2.4 sets
    response.fill(0, 20, 32);
    response.writeInt32LE(1, 32);
  } else {
    response.writeInt32LE(opMsg, 12);
    response.fill(0, 16, 21);
  }
  response.set(document, preamble);
  return response;
}

/** Returns a request of the gateway itself (used to set up a mongod's replica set without loading a driver). */
export function writeRequest(requestId: number, document: Uint8Array): Buffer {
  const request = Buffer.alloc(21 + document.length);
  request.writeInt32LE(request.length, 0);
  request.writeInt32LE(requestId, 4);
  request.writeInt32LE(opMsg, 12);
  request.set(document, 21);
  return request;
}
