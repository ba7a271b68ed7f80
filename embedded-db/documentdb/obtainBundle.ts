import { canConnect } from '../canConnect.ts';
import { EmbeddedDbError } from '../EmbeddedDbError.ts';
import { findProgram } from '../runProgram.ts';
import { findAptProxy, hasApt } from './bundle/Apt.ts';
import { fetchBundle, findBundle } from './bundle/fetchBundle.ts';
import { findDebianMirror } from './bundle/findDebianMirror.ts';

export interface ObtainOptions {
  cacheDir: string;
  progress: (line: string) => void;
}

/** The bundle's directory, fetched if it is not cached. Throws an EmbeddedDbError that says what is missing. */
export async function obtainBundle({ cacheDir, progress }: ObtainOptions): Promise<string> {
  const cached = findBundle(cacheDir);
  if (cached) return cached;
  if (!hasApt(findProgram)) {
    throw new EmbeddedDbError(
      'DocumentDB comes from Debian packages, and this machine lacks apt or the Debian keyring',
    );
  }
  const mirror = findDebianMirror();
  if (!mirror) {
    throw new EmbeddedDbError('apt on this machine knows no Debian mirror; name one with EMBEDDED_DB_MIRROR');
  }
  const reachedFirst = (await findAptProxy()) ?? mirror;
  if (!(await canConnect(reachedFirst))) throw new EmbeddedDbError(`${reachedFirst} cannot be reached`);
  return fetchBundle({ cacheDir, mirror, progress });
}
