import { type Program, startProgram } from '../stack/startProgram.ts';

/**
 * Starts Hive Gateway in a separate process.
 *
 * @param signerUrl address of the signer, with a trailing slash
 */
export function startHive(signerUrl: string): Promise<Program> {
  return startProgram('hive', 'test/support/servers/hiveProgram.ts', {
    SIGNER_URL: signerUrl,
    NODE_OPTIONS: '',
  });
}
