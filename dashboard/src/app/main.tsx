import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/global.css';
import '@fontsource-variable/inter';
import './style.css';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { loadErrorResponse } from '../components/feedback/error-note.tsx';
import { direction, language } from '../languages/language.ts';
import { awaitTexts, loadTexts } from '../languages/texts.tsx';
import { watchInput } from '../session/attendance.ts';
import { nonce } from './nonce.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';
import { cssVariables, themeWith } from './theme.ts';

document.documentElement.lang = language;
document.documentElement.dir = direction;
// Repeated until it succeeds: there is no page yet that could say that the browser is offline.
const [t] = await Promise.all([awaitTexts('shell'), awaitTexts('common')]);
document.getElementById('overlays')!.ariaLabel = t('overlays');

watchInput();
createRoot(document.getElementById('app')!).render(
  <DirectionProvider initialDirection={direction} detectDirection={false}>
    <MantineProvider
      theme={themeWith({ close: t('close'), clear: t('clear') })}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </DirectionProvider>,
);

// Needed soon after the first page, so it is loaded ahead of time.
void loadTexts('errors').catch(() => {});
loadErrorResponse();
