import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  server: {
    proxy: { '/api': 'http://127.0.0.1:3000' },
  },
  build: {
    target: 'es2023',
    // Inlined files would need `data:` in the content security policy for fonts and scripts.
    assetsInlineLimit: 0,
  },
});
