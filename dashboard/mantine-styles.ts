import path from 'node:path';
import type { Plugin } from 'vite';

const component = /@mantine\/core\/.*?(\w+)\.module\.mjs$/;
const entry = /\/src\/app\/main\.tsx$/;

/**
 * Has each of Mantine's components bring its own styles, so that a page loads those of its own components and not
 * those of a hundred others. While the pages are worked on, all styles are loaded at once.
 */
export function mantineStyles(command: 'build' | 'serve'): Plugin {
  return {
    name: 'mantine-styles',
    enforce: 'pre',
    transform(code, id) {
      const file = id.split('?')[0]!.split(path.sep).join('/');
      if (command === 'serve') return entry.test(file) ? `import '@mantine/core/styles.css';\n${code}` : null;
      const name = component.exec(file)?.[1];
      return name === undefined ? null : `import '@mantine/core/styles/${name}.css';\n${code}`;
    },
  };
}
