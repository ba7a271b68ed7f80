import type { Server } from 'node:http';
import { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

/** A client takes what was written within this time; a slow line of 20 kB a second takes a megabyte in it. */
const usualStallMs = 60_000;
const looksPerStall = 4;

/** Number of bytes that a client has read, and how often it was unchanged. */
interface Progress {
  takenBytes: number;
  unchanged: number;
}

/**
 * Closes connections whose client does not take its answer: no write was completed for the given time while one is
 * pending. Without it, a client that never reads holds its answer in memory for as long as it likes. An answer in one
 * piece counts as one write, so reading a byte now and then does not help.
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
