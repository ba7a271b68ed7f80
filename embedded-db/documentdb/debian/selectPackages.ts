import type { Apt, AptPackage } from './Apt.ts';

export const rootPackage = 'postgresql-18-documentdb';

/**
 * Packages whose dependencies are ignored. Their features are not used here, and the dependencies would be two thirds
 * of the download.
 */
const notFollowed = [
  'libgdal', // PostGIS raster
  'libsfcgal', // PostGIS 3D
  'libllvm', // compiling queries, which is switched off
  'locales', // the cluster uses the C locale
  'tzdata', // and UTC
  'proj-data', // grids of national coordinate systems
  'postgresql-common', // Debian's way of managing clusters
  'postgresql-client',
  'debconf',
  'ssl-cert',
];

export interface Selection {
  /** Required packages, as far as their names show. */
  needed: AptPackage[];
  /** All packages that Debian would install, in case a library is missing. */
  all: AptPackage[];
}

/** Returns the required packages of those that Debian would install for `rootPackage`. */
export async function selectPackages(apt: Apt): Promise<Selection> {
  const all = await apt.closureOf(rootPackage);
  const followed = follow(rootPackage, await apt.dependenciesBelow(rootPackage));
  return { needed: all.filter(({ name }) => followed.has(name)), all };
}

function follow(root: string, dependencies: ReadonlyMap<string, string[]>): Set<string> {
  const found = new Set<string>();
  const open = [root];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    for (const dependency of dependencies.get(name) ?? []) {
      if (!notFollowed.some((prefix) => dependency.startsWith(prefix))) open.push(dependency);
    }
  }
  return found;
}
