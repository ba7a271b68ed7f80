import { fetchText } from '../fetchText.ts';
import type { Source } from './Source.ts';

/** Reads a contract from the paths below a URL. The files of a URL cannot be listed. */
export function urlSource(url: string): Source {
  return {
    name: url,
    commit: null,
    read: (file) => fetchText(new URL(file, url.endsWith('/') ? url : `${url}/`)),
    list: async () => null,
  };
}
