import type { Platform } from '../../../../platform/context/Platform.ts';
import { keeperOf, mostInstallations } from './loadColumns.ts';

/** A large catalogue is read on while its caller gets `Retry-After`. */
const attempts = 5;

/**
 * Reads the catalogs of all installations, so that the first request after a start does not wait. Ends when they are
 * read or cannot be read now. A failed catalog is read at its first query.
 */
export async function warmCatalog(platform: Platform): Promise<void> {
  for (const { id } of platform.installations.all.slice(0, mostInstallations)) await warm(platform, id);
}

async function warm(platform: Platform, installationId: string): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      await keeperOf(platform, installationId).current();
      return;
    } catch (error) {
      platform.log.debug({ err: error, installationId }, 'the catalogue is not read yet');
    }
  }
}
