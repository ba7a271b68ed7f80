import { setTimeout as delay } from 'node:timers/promises';
import type { Document } from 'bson';
import type { AdminConnection } from './AdminConnection.ts';

const notYetInitialized = 94;
const limitMs = 60_000;
const pollMs = 20;

/**
 * Makes a mongod the primary of a replica set of one, which transactions and change streams require. The set's
 * configuration is stored with the data and names the node's address. A node that is not in it does not join, so the
 * configuration is replaced by force if the address has changed.
 */
export async function becomePrimary(
  connection: AdminConnection,
  replicaSet: string,
  address: string,
): Promise<void> {
  const current = await connection.run({ replSetGetConfig: 1 });
  if (current.code === notYetInitialized) {
    const config = { _id: replicaSet, members: [{ _id: 0, host: address }] };
    assertOk(await connection.run({ replSetInitiate: config }));
  } else {
    const config: Document = assertOk(current).config;
    if (config.members.length !== 1 || config.members[0].host !== address) {
      const members = [{ ...config.members[0], host: address }];
      const replacement = { ...config, members, version: config.version + 1 };
      assertOk(await connection.run({ replSetReconfig: replacement, force: true }));
    }
  }
  const deadline = Date.now() + limitMs;
  while (!(await connection.run({ hello: 1 })).isWritablePrimary) {
    if (Date.now() > deadline) throw new Error(`mongod did not become primary within ${limitMs / 1000} s`);
    await delay(pollMs);
  }
}

function assertOk(reply: Document): Document {
  if (reply.ok !== 1) throw new Error(`mongod refused: ${reply.errmsg}`);
  return reply;
}
