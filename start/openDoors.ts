import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { closeDoors } from '../subgraphs/platform/http/drainServer.ts';

/**
 * Connections that wait at a door to be taken while the process does something else. The system's own 511 are soon full
 * when a thousand clients come at once, and whoever finds no place tries again a second later; the system may allow fewer.
 */
const backlog = 1024;

/** As many connections are taken in one step of the event loop; under load, a step lasts a tenth of a second. */
const mostDoors = 256;

/** Where it is listened. */
type Place = Pick<ListenOptions, 'port' | 'host'>;

/**
 * Listens for a server with many sockets on one port, over which the kernel spreads those who come (`SO_REUSEPORT`).
 * libuv takes one connection of each socket in a step of the event loop and does whatever else is ready in the same step:
 * with one socket, a crowd that comes at once waits in the kernel, where nobody sees it, for as many steps as it has
 * heads. Where the kernel spreads nobody, there is one socket.
 *
 * @returns the port, and the doors besides the server's own
 * @throws NodeJS.ErrnoException when the port is taken, also by somebody who would share it, or not allowed
 */
export async function openDoors(
  server: Server,
  place: Place,
  count = countDoors(),
): Promise<{ port: number; doors: readonly Server[] }> {
  const reusePort = count > 1;
  // Whoever shares ports does not notice that another program of the same user has this one.
  if (reusePort && place.port !== 0) await closeDoors([await open(createServer(), place)]);
  await open(server, { ...place, backlog, reusePort });
  const { port } = server.address() as AddressInfo;
  const doors: Server[] = [];
  try {
    while (doors.length < count - 1) {
      const door = createDoor(server);
      doors.push(await open(door, { ...place, port, backlog, reusePort }));
    }
  } catch (error) {
    await closeDoors([server, ...doors]);
    throw error;
  }
  return { port, doors };
}

/** One where the kernel spreads nobody; a sixteenth of the files that the process may have open, which connections are, too. */
function countDoors(): number {
  if (process.platform !== 'linux') return 1;
  const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return Math.max(1, Math.min(mostDoors, Math.floor(Number(limit ?? mostDoors) / 16)));
}

/** Its connections are the server's, as if it had taken them. */
function createDoor(server: Server & { allowHalfOpen?: boolean; noDelay?: boolean }): Server {
  const { allowHalfOpen = false, noDelay = false } = server;
  return createServer({ allowHalfOpen, noDelay }, (socket: Socket) => void server.emit('connection', socket));
}

function open(server: Server, place: ListenOptions): Promise<Server> {
  return new Promise((listening, failed) => {
    server.once('error', failed);
    server.listen(place, () => {
      server.removeListener('error', failed);
      listening(server);
    });
  });
}
