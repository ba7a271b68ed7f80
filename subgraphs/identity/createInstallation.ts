import { ulid } from 'ulid';
import { storeInstallation } from '../platform/installation/changeInstallation.ts';
import type { Installation, InstallationSettings } from '../platform/installation/Installation.ts';
import { toInstallation } from '../platform/installation/Installations.ts';
import { createDefaultCategories } from './listings/category/createDefaultCategories.ts';

/** Fields of a new installation. Optional fields have a default. */
export interface NewInstallation {
  /** `ins_…`; generated if omitted. */
  id?: string;
  name: string;
  /** Lower-case host names without port. */
  hosts: string[];
  /** Absolute URL without trailing slash. */
  baseUrl: string;
  defaultCurrency?: string;
  /** Supported languages; the first one is the default. */
  locales?: string[];
  settings?: Partial<InstallationSettings>;
}

/**
 * Stores a new installation with its initial categories. The installation is written last, so it is complete once it
 * exists.
 */
export async function createInstallation(
  installation: NewInstallation,
  { now }: { now: () => number },
): Promise<Installation> {
  const {
    id = `ins_${ulid()}`,
    defaultCurrency = 'EUR',
    locales = ['en'],
    settings = {},
    ...given
  } = installation;
  const createdAt = new Date(now());
  const record = { _id: id, ...given, defaultCurrency, locales, settings, createdAt };
  await createDefaultCategories(id, createdAt);
  await storeInstallation(record);
  return toInstallation(record);
}
