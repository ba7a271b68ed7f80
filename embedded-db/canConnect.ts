import { existsSync } from 'node:fs';
import net from 'node:net';

const limitMs = 1_000;
const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Returns whether the host of a URL accepts connections within a second. Without a network, the download tools would
 * detect that only after minutes of retries.
 */
export function canConnect(address: string): Promise<boolean> {
  const url = URL.parse(address);
  if (!url) return Promise.resolve(false);
  if (url.protocol === 'file:') return Promise.resolve(existsSync(url.pathname));
  const port = Number(url.port) || defaultPorts[url.protocol];
  if (port === undefined) return Promise.resolve(true); // a scheme of apt's own: let apt find out
  return new Promise((resolve) => {
    const socket = net.connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port });
    const finish = (isReachable: boolean) => {
      clearTimeout(limit);
      socket.destroy();
      resolve(isReachable);
    };
    const limit = setTimeout(() => finish(false), limitMs); // resolving the name counts too
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}
