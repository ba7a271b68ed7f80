import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { runCommands } from '../app/commands/runCommands.ts';
import { exportUsage } from '../subgraphs/identity/people/api-usage/exportUsage.ts';
import { openInstallations } from '../subgraphs/platform/installation/Installations.ts';

const defaultDays = 90;

/** `npm run usage -- export`: the usage ledger of a deployment that may be running. */
await runCommands('usage', 'Exports the usage ledger of all installations, for schema checks.', {
  export: {
    usage: `<file> [--days <number>]
      writes JSON lines: operations with the parts of the schema that they use, and their executions by client and day
      --days  days before today; default: ${defaultDays}`,
    positionals: 1,
    options: { days: { type: 'string', default: String(defaultDays) } },
    async run({ print, values, positionals: [file = ''] }) {
      const days = Number(values.days);
      if (!Number.isInteger(days) || days < 1) throw new Error('--days must be a whole number above 0.');
      const { all, close } = await openInstallations();
      close();
      let lines = 0;
      const toText = async function* (): AsyncGenerator<string, void> {
        for (const { id } of all) {
          for await (const line of exportUsage(id, { days, nowMs: Date.now() })) {
            lines += 1;
            yield `${JSON.stringify(line)}\n`;
          }
        }
      };
      await pipeline(toText, createWriteStream(file));
      print(`${file}: ${lines} lines of ${all.length} installations`);
    },
  },
});
