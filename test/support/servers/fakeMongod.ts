import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Document } from 'bson';
import { decode, encode } from '../../../embedded-db/gateway/wire/bson.ts';
import { FrameReader } from '../../../embedded-db/gateway/wire/FrameReader.ts';
import { mongoFraming, readRequest, writeResponse } from '../../../embedded-db/gateway/wire/wire.ts';

/**
 * Replaces a mongod, which is not available on every machine. It implements the command line, the documented commands
 * that set up a replica set, and a regular stop at SIGINT.
 */
const { values } = parseArgs({
  strict: false,
  options: { bind_ip: { type: 'string' }, dbpath: { type: 'string' }, version: { type: 'boolean' } },
});
if (values.version) {
  console.log(`db version v${process.env.FAKE_MONGOD_VERSION ?? '8.0.4'}`);
  process.exit();
}
if (process.env.FAKE_MONGOD_FAILS) {
  console.log('the disk is made of cheese');
  process.exit(48);
}

const directory = String(values.dbpath);
const configFile = join(directory, 'config.json');
writeFileSync(join(directory, 'arguments.json'), JSON.stringify(process.argv.slice(2)));

process.on('SIGINT', () => {
  writeFileSync(join(directory, 'stopped-in-order'), '');
  process.exit();
});

let helloes = 0;
net
  .createServer((socket) => {
    const reader = new FrameReader(mongoFraming, (message) => {
      const request = readRequest(message);
      socket.write(writeResponse(request, encode(answer(decode(request.body)))));
    });
    socket.on('data', (chunk) => reader.push(chunk));
  })
  .listen(String(values.bind_ip));

function answer(command: Document): Document {
  const config = existsSync(configFile)
    ? (JSON.parse(readFileSync(configFile, 'utf8')) as Document)
    : undefined;
  if (command.replSetGetConfig) {
    return config ? { ok: 1, config } : { ok: 0, code: 94, errmsg: 'no replset config has been received' };
  }
  if (command.replSetInitiate) return store({ version: 1, ...command.replSetInitiate });
  if (command.replSetReconfig) {
    const isNewer = command.replSetReconfig.version > config?.version;
    return command.force && isNewer ? store(command.replSetReconfig) : { ok: 0, errmsg: 'not primary' };
  }
  helloes++;
  const isMember = config?.members[0].host === values.bind_ip;
  return { ok: 1, isWritablePrimary: isMember && helloes > 2 };
}

function store(config: Document): Document {
  writeFileSync(configFile, JSON.stringify(config));
  return { ok: 1 };
}
