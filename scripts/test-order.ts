import { existsSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files whose tests take long: each only calls `testBehind`. */
const longFiles = ['server/test/gate/behind-caddy.test.ts', 'server/test/gate/behind-nginx.test.ts'];

for (const file of longFiles) {
  if (!existsSync(path.join(import.meta.dirname, '..', file)))
    throw new Error(`There is no ${file}: correct its name.`);
}

/**
 * The order of test files within a project. Until Vitest knows how long each one takes, it starts with the largest; without
 * this order the processes that run `longFiles` would be the last to end, while the others have nothing left to do.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return longFiles.some((file) => moduleId.endsWith(`/${file}`));
}
