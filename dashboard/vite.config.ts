import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { mantineStyles } from './mantine-styles.ts';
import { preloadFont } from './preload-font.ts';

/** What forms and their fields are made of. Most pages have some, but not the first one. */
const fields = 'Combobox|Select|MultiSelect|Pill|PillsInput|NumberInput|TagsInput|Textarea';
const forms = new RegExp(
  [
    `/@mantine/(form|core/esm/components/(${fields}))/`,
    '/node_modules/(klona|fast-deep-equal|react-number-format)/',
    '/dashboard/src/(components/forms/dialog|hooks/use-(submission|form-errors|conflict-question))',
  ].join('|'),
);

export default defineConfig(({ command }) => ({
  base: '/dashboard/',
  plugins: [react(), mantineStyles(command), preloadFont()],
  build: {
    target: 'es2022',
    // The oldest browsers with `light-dark()`, which does not work if it is transpiled.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // What is inlined as `data:` would need leave in the policy.
    assetsInlineLimit: 0,
    // Names the files of the first load, for the check of its size.
    manifest: true,
    // What thirteen pages share is in one file: a page needs forty files, where it would be a hundred, and fewer bytes.
    // Nearly every page needs the client, and none follows events with it. Forms are apart, so that the first load does not
    // wait for them.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'client', test: /\/client\/src\/(?!http\/(event-stream|polling))/, priority: 2 },
            { name: 'shared', test: (id: string) => !forms.test(id), minShareCount: 13, priority: 1 },
            { name: 'forms', test: forms },
          ],
        },
      },
    },
    // The notices of the libraries that are built in, which go with every copy.
    license: { fileName: 'licenses.md' },
  },
  // The pages as Vite serves them while they are worked on, with a Gatehouse behind them.
  server: {
    proxy: {
      '/api': 'http://localhost:8080',
      '/dashboard/api': 'http://localhost:8080',
    },
  },
}));
