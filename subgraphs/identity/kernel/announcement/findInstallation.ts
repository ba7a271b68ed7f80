import type { Platform } from '../../../platform/context/Platform.ts';
import type { Installation } from '../../../platform/installation/Installation.ts';

/**
 * Returns the installation of an existing record. This process may not know a very recent installation yet.
 *
 * @throws Error if the installation no longer exists
 */
export async function findInstallation(
  id: string,
  { installations }: Pick<Platform, 'installations'>,
): Promise<Installation> {
  const known = installations.findById(id);
  if (known) return known;
  await installations.refresh();
  const found = installations.findById(id);
  if (!found) throw new Error(`There is no installation ${id}.`);
  return found;
}
