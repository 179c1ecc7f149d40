import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom, mergeMap, toArray } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFiles } from '../../../src/demo/tools/project-files.ts';
import { called, calling } from './calling.ts';

describe('project_files', () => {
  let top: string;
  let project: string;

  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), 'toolstream-'));
    project = join(top, 'project');
    await mkdir(join(project, 'src', 'deep'), { recursive: true });
    await mkdir(join(project, 'test'));
    await mkdir(join(top, 'project-secrets'));
    await writeFile(join(project, 'README.md'), 'x'.repeat(100));
    await writeFile(join(project, 'src', 'one.ts'), 'x'.repeat(1000));
    await writeFile(join(project, 'src', 'deep', 'two.ts'), 'x'.repeat(500));
    await writeFile(join(project, 'test', 'one.test.ts'), 'x'.repeat(20));
    await writeFile(join(top, 'project-secrets', 'key'), 'secret');
    await symlink(join(top, 'project-secrets'), join(project, 'way-out'));
  });

  afterAll(() => rm(top, { recursive: true }));

  const told = (folder?: string) =>
    lastValueFrom(
      calling(projectFiles(project), { folder })
        .stream('?')
        .pipe(
          mergeMap((event) => (event.type === 'toolProgress' ? [event.value] : [])),
          toArray(),
        ),
      { defaultValue: [] },
    );

  it('tells each folder when it is counted, and answers with all of them', async () => {
    expect(await told()).toEqual([
      'src: 2 files, 1.5 kB',
      'test: 1 file, 20 bytes',
      { folder: '.', total: '4 files, 1.6 kB', files: 4, bytes: 1620 },
    ]);
  });

  it('counts one folder', async () => {
    const { execution } = await called(projectFiles(project), { folder: 'src' });
    expect(execution.resultObject).toEqual({ folder: 'src', total: '2 files, 1.5 kB', files: 2, bytes: 1500 });
  });

  it.each(['..', '../project-secrets', '/', 'src/../..', 'way-out', 'README.md', 'nowhere', 'nul\0byte'])(
    'does not open %j: the model is told that there is no such folder',
    async (folder) => {
      const { execution } = await called(projectFiles(project), { folder });
      expect(execution).toMatchObject({ hasFailed: true, result: `There is no folder ${folder} in this project.` });
    },
  );
});
