/** Name of the client socket in its directory. Drivers recognize a socket by its extension. */
export const socketName = 'mongodb.sock';

/**
 * Returns the connection string for a Unix socket. Drivers convert the addresses that a replica set announces to lower
 * case, which would be another path, so this string makes them keep the given one.
 */
export function uriOfSocket(path: string): string {
  return `mongodb://${encodeURIComponent(path)}/?directConnection=true`;
}
