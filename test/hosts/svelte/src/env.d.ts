/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly VITE_PLATFORM_URL: string;
  readonly VITE_PUBLIC_ID: string;
}
