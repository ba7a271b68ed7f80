import type { Platform } from '../../../platform/context/Platform.ts';
import type { Installation } from '../../../platform/installation/Installation.ts';

/**
 * The installation of a record that exists; one that was made a moment ago may not be known to this process yet.
 *
 * @throws Error when it is gone
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
