import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findLargeFolders, mostFiles } from './findLargeFolders.ts';

test('finds a folder with more than 25 tracked files directly in it', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'trigate-folders-'));
  const fill = (folder: string, count: number) => {
    mkdirSync(path.join(root, folder), { recursive: true });
    for (let number = 0; number < count; number += 1)
      writeFileSync(path.join(root, folder, `${number}.ts`), '');
  };
  fill('large', mostFiles + 1);
  fill('full', mostFiles);
  fill('full/below', 2);
  execFileSync('git', ['init', '-q'], { cwd: root });
  execFileSync('git', ['add', '.'], { cwd: root });
  fill('untracked', mostFiles + 1);
  expect(findLargeFolders(root)).toEqual([{ folder: 'large', files: mostFiles + 1 }]);
  rmSync(root, { recursive: true, force: true });
});
