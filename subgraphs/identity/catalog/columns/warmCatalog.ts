import type { Platform } from '../../../platform/context/Platform.ts';
import { keeperOf, mostInstallations } from './loadColumns.ts';

/**
 * Begins to read the catalogues of all installations, so that the first visitor after a start does not wait for it. In
 * the background: nothing else waits either, and what fails is read when it is asked for.
 */
export async function warmCatalog(platform: Platform): Promise<void> {
  for (const { id } of platform.installations.all.slice(0, mostInstallations)) {
    try {
      await keeperOf(platform, id).current();
    } catch (error) {
      platform.log.debug({ err: error, installationId: id }, 'the catalogue is not read yet');
    }
  }
}
