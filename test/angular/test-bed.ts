// Angular's packages are half compiled: here, where no CLI finishes them, the compiler does it while they load.
import '@angular/compiler';
import { TestBed } from '@angular/core/testing';
import { BrowserTestingModule, platformBrowserTesting } from '@angular/platform-browser/testing';
import { afterEach } from 'vitest';

TestBed.initTestEnvironment(BrowserTestingModule, platformBrowserTesting());
// What a test leaves running is ended, as a destroyed page would end it.
afterEach(() => TestBed.resetTestingModule());

export { TestBed };
