import path from 'node:path';
import type { Plugin } from 'vite';

const component = /@mantine\/core\/.*?(\w+)\.module\.mjs$/;
const entry = /\/src\/app\/main\.tsx$/;

/**
 * Imports the styles of each Mantine component together with it, so that a page loads only the styles that it uses.
 * The development server loads all styles at once.
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
