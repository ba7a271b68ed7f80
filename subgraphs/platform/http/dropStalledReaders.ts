import type { Server } from 'node:http';
import { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

/** Time in which a client must read what was written. A slow connection of 20 kB/s transfers a megabyte in it. */
const usualStallMs = 60_000;
const looksPerStall = 4;

/** Number of bytes that a client has read, and how often it was unchanged. */
interface Progress {
  takenBytes: number;
  unchanged: number;
}

/**
 * Closes connections whose client does not read its response: no write was completed in the given time while one is
 * pending. Otherwise, such a client would hold its response in memory indefinitely. A response in one piece is one
 * write, so reading single bytes does not help.
 */
export function dropStalledReaders(server: Server, stallMs = usualStallMs): void {
  const connections = new Map<Socket, Progress>();
  server.on(server instanceof SecureServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.set(socket, { takenBytes: 0, unchanged: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, progress] of connections) look(socket, progress);
  }, stallMs / looksPerStall).unref();
  server.once('close', () => clearInterval(timer));
}

function look(socket: Socket, progress: Progress): void {
  const takenBytes = socket.bytesWritten - socket.writableLength;
  const isStalled = socket.writableLength > 0 && takenBytes === progress.takenBytes;
  progress.takenBytes = takenBytes;
  progress.unchanged = isStalled ? progress.unchanged + 1 : 0;
  if (progress.unchanged >= looksPerStall) socket.destroy();
}
