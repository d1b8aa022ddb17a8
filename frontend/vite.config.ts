import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2023',
    // Inlined files would need `data:` in the content security policy for fonts and scripts.
    assetsInlineLimit: 0,
  },
});
