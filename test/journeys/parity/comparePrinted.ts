import { readArguments } from '../../../app/commands/readArguments.ts';

const { positionals } = readArguments({
  command: 'npm run parity',
  about: `Calls a product that runs with RATE_LIMITS=off in both styles, and prints each answer that differs. The url is
http://localhost:4000 and the password is DEMO_PASSWORD unless stated.`,
  positionals: ['[url]', '[password]'],
});
const { compareStyles } = await import('./parity.ts');
const [url = 'http://localhost:4000', password = process.env.DEMO_PASSWORD ?? ''] = positionals;
const findings = await compareStyles(url, password);
for (const { what, difference } of findings)
  console.log(
    `${difference === null ? 'same     ' : 'DIFFERENT'}  ${what}${difference === null ? '' : `\n     ${difference}`}`,
  );
const different = findings.filter(({ difference }) => difference !== null).length;
console.log(`${findings.length - different} of ${findings.length} agree member by member`);
process.exitCode = different === 0 ? 0 : 1;
