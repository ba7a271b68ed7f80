import { Binary } from 'bson';
import type { Command } from '../Command.ts';
import type { GatewayServices } from '../GatewayServices.ts';
import { type BsonBytes, decode, encode } from '../wire/bson.ts';

export const sessionTimeoutMinutes = 30;

export function startSession(): BsonBytes {
  const id = new Binary(crypto.getRandomValues(new Uint8Array(16)), Binary.SUBTYPE_UUID);
  return encode({ id: { id }, timeoutMinutes: sessionTimeoutMinutes, ok: 1 });
}

export async function endSessions(services: GatewayServices, command: Command): Promise<BsonBytes> {
  const sessions: { id?: Binary }[] = decode(command.body.bytes)[command.name] ?? [];
  for (const { id } of sessions) {
    if (!id) continue;
    const sessionKey = id.toString('hex');
    services.retryableWrites.forget(sessionKey);
    await services.transactions.forget(sessionKey);
  }
  return encode({ ok: 1 });
}
