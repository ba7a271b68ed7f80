import { readArguments, refuseCall } from '../app/commands/readArguments.ts';

const command = 'npm run docs:build';
const { values } = readArguments({
  command,
  about: 'Writes the documentation as static files with relative links.',
  options: {
    out: { type: 'string', about: 'folder of the files; required' },
    product: { type: 'string', about: 'URL of the service that explorers and examples call' },
  },
});
const { out, product } = values;
if (out === undefined) refuseCall({ command }, '--out DIR is missing.');
if (product !== undefined && !/^https?:\/\/[^\s"<>]+$/.test(product))
  refuseCall(
    { command },
    `--product is "${product}"; it must be a URL, such as --out DIR --product https://api.example.`,
  );
const { writeStaticSite } = await import('../site/writeStaticSite.ts');
console.log(`wrote ${writeStaticSite(out, product)} files to ${out}`);
