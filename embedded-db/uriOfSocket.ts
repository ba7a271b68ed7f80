/** The name of the socket for clients in its directory. Drivers take an address for a socket by its ending. */
export const socketName = 'mongodb.sock';

/**
 * The connection string for a Unix socket. Drivers convert the addresses that a replica set announces to lower case,
 * which would be another path, so this string makes them keep the given one.
 */
export function uriOfSocket(path: string): string {
  return `mongodb://${encodeURIComponent(path)}/?directConnection=true`;
}
