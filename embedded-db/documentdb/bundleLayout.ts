import { join } from 'node:path';

const versionDirectory = 'postgresql/18';

/** Paths inside a bundle: the directories of a Debian installation, below a separate root. */
export interface BundleLayout {
  root: string;
  libraries: string;
  programs: string;
  modules: string;
  share: string;
  extensions: string;
  /** Written last: it names the exact versions, and its presence means that the bundle is complete. */
  manifest: string;
}

export function bundleLayout(root: string): BundleLayout {
  const installation = join(root, 'usr/lib', versionDirectory);
  const share = join(root, 'usr/share', versionDirectory);
  return {
    root,
    libraries: join(root, 'lib'),
    programs: join(installation, 'bin'),
    modules: join(installation, 'lib'),
    share,
    extensions: join(share, 'extension'),
    manifest: join(root, 'bundle.json'),
  };
}
