import { createSecrets, type Secrets } from '../../subgraphs/platform/secrets/deriveSecret.ts';
import { readRootSecret } from '../../subgraphs/platform/secrets/readRootSecret.ts';
import { readSigningKeys } from '../../subgraphs/platform/token/readSigningKeys.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { assertWritable } from './assertWritable.ts';

/**
 * Reads the secrets of the deployment; a demonstration without any creates its own.
 *
 * @throws Error with the remedy
 */
export async function openSecrets(
  configuration: Pick<
    Configuration,
    'rootSecret' | 'rootSecretFile' | 'signingKeyFile' | 'dataDir' | 'demonstration'
  >,
): Promise<Secrets> {
  const { rootSecret, rootSecretFile, demonstration, dataDir, signingKeyFile } = configuration;
  if (demonstration && rootSecret === undefined && rootSecretFile === undefined)
    await assertWritable(dataDir);
  return createSecrets(readRootSecret(configuration), readSigningKeys(signingKeyFile));
}
